import Appliance
import Configuration
import Glibc

exit(Program.run(Array(CommandLine.arguments.dropFirst())))
