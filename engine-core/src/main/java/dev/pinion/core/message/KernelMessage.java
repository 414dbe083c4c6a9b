package dev.pinion.core.message;

/** Message in the lanes of a kernel. */
public sealed interface KernelMessage permits KernelEvent, KernelQuery {}
