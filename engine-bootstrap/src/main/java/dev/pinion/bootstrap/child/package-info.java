/**
 * Plumbing that replica, history and broker processes share: settings line, broker socket, thread
 * pinning.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.child;
