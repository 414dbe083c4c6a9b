package dev.pinion.core.api.port;

import java.util.concurrent.Executor;

/**
 * The replica that serves a request.
 *
 * @param ancillary runs deployments off the event loops; bounded by its provider: a rejected task
 *     is answered 503
 * @param readiness source of {@code /readyz}
 * @param version version of the engine, for the OpenAPI document
 */
public record LocalReplica(Executor ancillary, Readiness readiness, String version) {}
