package dev.pinion.handlers.config;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;

/** Places handlers in other processes: the port of handler hosts. */
public interface HandlerProvider {
  /** A handler that lets a host do its work; closing it closes the local one as well. */
  Handler provide(RemoteHandlerRequest remoteHandlerRequest);

  /**
   * A handler to be placed elsewhere.
   *
   * @param chain name of its chain
   * @param step its name in the chain
   * @param use the kind of handler
   * @param settings settings of the chain
   * @param local a local handler of the same kind
   * @param declared declaration of this use
   * @param placement how its messages reach a host
   */
  record RemoteHandlerRequest(
      String chain,
      String step,
      String use,
      Payload settings,
      Handler local,
      Declaration declared,
      Placement placement) {
    /** Whether it may also run here. */
    public boolean auto() {
      return placement == Placement.AUTO;
    }

    /** Whether servers store its messages. */
    public boolean stored() {
      return placement == Placement.STORED;
    }
  }

  /** How messages reach a host. */
  enum Placement {
    /** Directly, or not at all: the handler also runs here, when that is faster. */
    AUTO,
    /** Directly. */
    DIRECT,
    /** By a server that stores each message until a host has processed it. */
    STORED
  }
}
