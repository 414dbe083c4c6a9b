package dev.pinion.core.model.call;

/**
 * Server of messages.
 *
 * @param host host name or address, without brackets
 * @param port its port
 * @param secure whether connections use TLS
 * @param path path below the host, without a slash at its beginning; empty for none
 */
public record MessageServer(String host, int port, boolean secure, String path) {
  /** Host and port. */
  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
