import Glibc

exit(StreamCommandLine.run(Array(CommandLine.arguments.dropFirst())))
