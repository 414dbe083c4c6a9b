package dev.pinion.bootstrap.client.grpc;

import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.StatusOr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;

/**
 * The addresses of one connection, which were looked up and checked before: gRPC's library looks
 * up none itself, and asks no proxy.
 */
final class FixedAddresses extends NameResolverProvider {
  /** Target of a channel whose addresses these are. */
  static final String TARGET = "pinion:///service";

  private static final String SCHEME = "pinion";
  private static final int PRIORITY = 5;

  private final String authority;
  private final List<EquivalentAddressGroup> addresses;

  /**
   * Addresses of a service.
   *
   * @param authority its name and port, by which its certificate is judged
   */
  FixedAddresses(String authority, List<InetAddress> addresses, int port) {
    this.authority = authority;
    this.addresses =
        addresses.stream()
            .map(each -> new EquivalentAddressGroup(new InetSocketAddress(each, port)))
            .toList();
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  @Override
  protected int priority() {
    return PRIORITY;
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  public NameResolver newNameResolver(URI targetUri, NameResolver.Args args) {
    return new NameResolver() {
      @Override
      public String getServiceAuthority() {
        return authority;
      }

      @Override
      public void start(Listener2 listener) {
        listener.onResult(
            ResolutionResult.newBuilder()
                .setAddressesOrError(StatusOr.fromValue(addresses))
                .build());
      }

      @Override
      public void shutdown() {}
    };
  }
}
