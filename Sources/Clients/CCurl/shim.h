// Do not define _GNU_SOURCE here, because glibc would then declare fd_set differently from Swift's Glibc module, and Swift
// would not compile files that use both.
#pragma once
#include <curl/curl.h>
#include <spawn.h>

// Swift cannot call functions with variable arguments.

static inline CURLcode stream_set_number(CURL *handle, CURLoption option, long value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode stream_set_text(CURL *handle, CURLoption option, const char *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode stream_set_list(CURL *handle, CURLoption option, struct curl_slist *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode stream_set_buffer(CURL *handle, CURLoption option, void *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode stream_set_function(CURL *handle, CURLoption option, size_t (*value)(char *, size_t, size_t, void *))
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode stream_set_opener(CURL *handle, curl_opensocket_callback value)
{
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode stream_get_number(CURL *handle, CURLINFO info, long *value)
{
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode stream_get_text(CURL *handle, CURLINFO info, const char **value)
{
    return curl_easy_getinfo(handle, info, (char **)value);
}

// The result of a transfer that has ended, or -1 while it has not.
static inline int stream_result(CURLM *multi)
{
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)))
        if (message->msg == CURLMSG_DONE) return (int)message->data.result;
    return -1;
}

// glibc declares this only with _GNU_SOURCE.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// Closes all files from this number on in a new process, which would otherwise inherit libcurl's sockets.
static inline int stream_close_from(posix_spawn_file_actions_t *actions, int first)
{
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
