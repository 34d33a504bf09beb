"""The HTTP half of the gateway, one file for each thing that is asked for."""
