package dev.pinion.core.message;

/**
 * A reply on its way to the Request Handler that asked.
 *
 * @param request number of the request at that handler
 * @param reply the reply
 */
public record AddressedReply(long request, Reply reply) {}
