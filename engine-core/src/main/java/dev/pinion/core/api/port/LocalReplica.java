package dev.pinion.core.api.port;

import dev.pinion.core.diagram.PictureRenderer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The replica that serves a request.
 *
 * @param ancillary runs deployments off the event loops; bounded by its provider: a rejected task
 *     is answered 503
 * @param readiness source of {@code /readyz}
 * @param version version of the engine, for the OpenAPI document
 * @param pictures draws definitions as pictures; null when nothing here does
 */
public record LocalReplica(
    Executor ancillary, Readiness readiness, String version, @Nullable PictureRenderer pictures) {}
