package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.invoker.http.ReservedAddresses;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.MessageServer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Addresses of servers, by the rules of calls over HTTP. Libraries that look names up themselves
 * find the same addresses in the cache of the JDK, since they connect at once; so each connection
 * is preceded by a look here.
 */
final class ServerAddresses {
  private final boolean allReserved;

  ServerAddresses(InvokerLimits limits) {
    this.allReserved = limits.reservedAddresses() == 1;
  }

  /**
   * The addresses of a server.
   *
   * @throws MessageFailure when there is none, or one to which no call may go
   */
  List<InetAddress> of(MessageServer server) throws MessageFailure {
    List<InetAddress> addresses = new ArrayList<>();
    try {
      for (InetAddress address : InetAddress.getAllByName(server.host())) {
        if (!allReserved && ReservedAddresses.isReserved(address)) {
          throw new MessageFailure(
              ErrorType.AUTHORIZATION,
              "expected a server at an address of a network, found "
                  + server.host()
                  + " at one that is "
                  + ReservedAddresses.KINDS
                  + "; invoker.reservedAddresses=1 allows that");
        }
        addresses.add(address);
      }
    } catch (UnknownHostException e) {
      throw MessageFailure.communication(
          "expected the name " + server.host() + " to have an address, found none");
    }
    return addresses;
  }
}
