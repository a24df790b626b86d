"""The eager side: Tensor, the mode that runs operators at once, the tape and gradients, and InputSpec."""
