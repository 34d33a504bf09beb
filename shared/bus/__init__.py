"""Transport and hints between services, never truth: a port, a memory adapter and a NATS adapter."""
