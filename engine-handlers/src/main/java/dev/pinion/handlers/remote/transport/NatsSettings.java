package dev.pinion.handlers.remote.transport;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * NATS servers, and the credentials for them.
 *
 * @param servers addresses in the form of NATS, such as {@code nats://127.0.0.1:4222}, those of a
 *     cluster with commas between; user and password, or a token, before the host; {@code tls://}
 *     for TLS. Of a cluster one address is enough to find the others
 * @param credentials file with the token and key of a user ({@code .creds}), or null
 * @param trust PEM file with the trusted issuers of servers' certificates, or null for those of the
 *     JDK
 */
public record NatsSettings(String servers, @Nullable Path credentials, @Nullable Path trust) {
  /** Servers that need nothing besides their addresses. */
  public static NatsSettings of(String servers) {
    return new NatsSettings(servers, null, null);
  }
}
