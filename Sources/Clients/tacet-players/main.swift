import Glibc

exit(PlayersCommandLine.run(Array(CommandLine.arguments.dropFirst())))
