import Appliance
import Configuration
import Glibc

exit(DaemonCommandLine.run(Array(CommandLine.arguments.dropFirst())))
