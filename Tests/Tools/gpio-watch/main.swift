var watch = Watch(CommandLine.arguments.dropFirst())
watch.run()
