package dev.pinion.core.message;

/** Anything a kernel reads from its lanes. */
public sealed interface KernelMessage permits KernelEvent, KernelQuery {}
