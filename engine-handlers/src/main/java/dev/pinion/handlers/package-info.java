/**
 * What happens to messages on their way into a process and out of it.
 *
 * <p>Handler chains, with handlers of a stage running side by side, are not built yet. What stands
 * here is their place: {@link dev.pinion.handlers.PassThrough}, which the replica puts around every
 * message, and which lets every message go on as it is.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers;
