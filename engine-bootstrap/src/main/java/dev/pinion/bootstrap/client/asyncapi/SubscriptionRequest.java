package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageEndpoint;

/**
 * A subscription to open.
 *
 * @param endpoint the channel
 * @param key name of the subscription, the same after a crash
 * @param carrier request with the authorization
 */
record SubscriptionRequest(MessageEndpoint endpoint, String key, HttpCall carrier) {}
