package dev.pinion.benchmarks.bare;

import dev.pinion.workloads.transport.NettyTransport;

/**
 * The minimal HTTP server of one event loop: answers each request with its body. Its throughput
 * bounds that of any exchange on that core.
 */
public final class EchoServer {
  private EchoServer() {}

  /**
   * Starts the server.
   *
   * @param port port to listen on, 0 for a free one
   * @throws IllegalStateException when the port is taken
   */
  public static SingleLoopServer start(int port) {
    NettyTransport nettyTransport = NettyTransport.best();
    return SingleLoopServer.listen(
        nettyTransport.loops(1, "echo"), nettyTransport, port, EchoHandler::new);
  }
}
