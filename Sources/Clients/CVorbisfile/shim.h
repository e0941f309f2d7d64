#pragma once
// The header would otherwise define callbacks for files, which are not used.
#define OV_EXCLUDE_STATIC_CALLBACKS
#include <vorbis/vorbisfile.h>
