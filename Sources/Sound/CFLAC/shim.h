#pragma once
#include <FLAC/stream_decoder.h>
// For the tests, which write files of every sample size.
#include <FLAC/stream_encoder.h>
