package dev.pinion.core.message;

/**
 * Where the answer to a request goes.
 *
 * @param handler index of the Request Handler that holds the connection
 * @param request that handler's own number of the request, never reused
 */
public record ReplyAddress(int handler, long request) {}
