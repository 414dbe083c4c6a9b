package dev.pinion.bootstrap.cli.handlers;

import dev.pinion.bootstrap.cli.CommandException;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.transport.NatsSettings;
import dev.pinion.handlers.remote.transport.NatsTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that talk to handler hosts or are one. */
final class NatsOptions {
  @Option(
      names = "--nats",
      paramLabel = "URL",
      description =
          "NATS servers, such as nats://127.0.0.1:4222; several with commas, tls:// for TLS.")
  private @Nullable String servers;

  @Option(
      names = "--nats-credentials",
      paramLabel = "FILE",
      description = "Token and key of a NATS user (.creds). Default: what the URL says.")
  private @Nullable Path credentials;

  @Option(
      names = "--nats-trust",
      paramLabel = "FILE",
      description = "PEM file with issuers of the servers' certificates. Default: the JDK's.")
  private @Nullable Path trust;

  @Option(
      names = "--prefix",
      paramLabel = "SUBJECT",
      description = "What all NATS subjects begin with. Default: " + HostSettings.PREFIX + ".")
  private String prefix = HostSettings.PREFIX;

  /** Prefix of all subjects. */
  String prefix() {
    return prefix;
  }

  /** Whether servers are named. */
  boolean isGiven() {
    return servers != null;
  }

  /**
   * Connects.
   *
   * @param name name in the server's monitoring
   */
  NatsTransport connect(String name) throws CommandException {
    String named = servers;
    if (named == null) {
      throw new CommandException(
          ExitStatus.USAGE, "expected NATS servers (--nats nats://127.0.0.1:4222), found none");
    }
    readable("--nats-credentials", credentials);
    readable("--nats-trust", trust);
    try {
      return NatsTransport.connect(new NatsSettings(named, credentials, trust), name);
    } catch (IllegalArgumentException e) {
      throw new CommandException(
          ExitStatus.USAGE,
          "--nats: expected addresses of servers, found \"" + named + "\": " + e.getMessage());
    } catch (IOException e) {
      throw new CommandException(
          ExitStatus.UNAVAILABLE,
          "expected a NATS server at the address of --nats, found: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitStatus.FAILURE, "interrupted while connecting");
    }
  }

  private static void readable(String option, @Nullable Path file) throws CommandException {
    if (file != null && !Files.isReadable(file)) {
      throw new CommandException(
          ExitStatus.NO_INPUT, option + ": expected a file that can be read, found " + file);
    }
  }
}
