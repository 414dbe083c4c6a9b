package dev.pinion.core.message;

/**
 * Address of the reply to a request.
 *
 * @param handler index of the Request Handler that holds the connection
 * @param request number of the request at that handler, never reused
 * @param <R> the replies that it accepts
 */
@SuppressWarnings("UnusedTypeParameter") // the type that a reply to it must have
public record ReplyAddress<R extends Reply>(int handler, long request) {}
