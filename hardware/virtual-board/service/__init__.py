"""What is checked of the service where there is no board."""
