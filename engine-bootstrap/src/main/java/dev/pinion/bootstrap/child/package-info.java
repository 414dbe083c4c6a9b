/** Plumbing that replica, history and broker processes share: broker socket, thread pinning. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.child;
