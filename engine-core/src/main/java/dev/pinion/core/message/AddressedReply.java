package dev.pinion.core.message;

/**
 * A reply on its way to the Request Handler that asked.
 *
 * @param request that handler's number of the request
 * @param reply the answer
 */
public record AddressedReply(long request, KernelReply reply) {}
