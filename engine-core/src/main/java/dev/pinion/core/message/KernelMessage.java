package dev.pinion.core.message;

/** Message of a client to a kernel. */
public sealed interface KernelMessage permits Command, Query {}
