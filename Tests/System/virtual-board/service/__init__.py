"""The checks of the service, which need no board."""
