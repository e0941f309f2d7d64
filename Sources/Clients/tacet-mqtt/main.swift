import Glibc

exit(MQTTCommandLine.run(Array(CommandLine.arguments.dropFirst())))
