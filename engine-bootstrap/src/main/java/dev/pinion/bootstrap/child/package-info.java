/**
 * Plumbing that processes of replica, history, broker and handler host share: pipes to the parent,
 * the order to drain, broker socket, thread pinning.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.child;
