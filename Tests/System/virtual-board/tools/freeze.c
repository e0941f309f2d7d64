/* Stops one thread of another process for as long as both processes live, so that a watchdog must detect a hang.
 *
 * usage: freeze PID THREAD-NAME      prints "frozen" once the thread has stopped */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static int find_thread(int process, const char *name) {
    char path[64], word[64];
    int found = 0;
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && !found && (entry = readdir(threads));) {
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/comm", process, entry->d_name);
        FILE *file = fopen(path, "r");
        if (file && fgets(word, sizeof word, file)) {
            word[strcspn(word, "\n")] = 0;
            if (!strcmp(word, name)) found = atoi(entry->d_name);
        }
        if (file) fclose(file);
    }
    if (threads) closedir(threads);
    return found;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: freeze PID THREAD-NAME\n");
        return 64;
    }
    int status, thread = find_thread(atoi(argv[1]), argv[2]);
    if (!thread) {
        fprintf(stderr, "freeze: process %s has no thread %s\n", argv[1], argv[2]);
        return 1;
    }
    /* The thread is seized and not attached to, because attaching would send SIGSTOP, which stops all threads. */
    if (ptrace(PTRACE_SEIZE, thread, 0, 0) || ptrace(PTRACE_INTERRUPT, thread, 0, 0)
        || waitpid(thread, &status, __WALL) != thread) {
        perror("freeze");
        return 1;
    }
    printf("frozen\n");
    fflush(stdout);
    /* The thread is never released. This returns when it has been killed. */
    while (waitpid(thread, &status, __WALL) == thread && !WIFEXITED(status) && !WIFSIGNALED(status)) {}
    return 0;
}
