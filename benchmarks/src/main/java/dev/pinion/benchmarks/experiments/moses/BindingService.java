package dev.pinion.benchmarks.experiments.moses;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.pinion.benchmarks.bare.RequestAggregator;
import dev.pinion.benchmarks.bare.SingleLoopServer;
import dev.pinion.broker.binding.BindingTableBuilder;
import dev.pinion.broker.binding.KroneckerCounters;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.TableShare;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.BoundService;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.transport.NettyTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The broker's choice as a separate service: {@code GET /bind/CLASS/TASK} returns {@code
 * {"endpoint":"…"}}. Chooses as the engine does in process, on one event loop, on the loopback
 * interface; an unknown task is 404, an unknown class counts as the last one.
 */
public final class BindingService implements AutoCloseable {
  private static final String ASKED = "/bind/";

  private final SingleLoopServer server;

  private BindingService(SingleLoopServer server) {
    this.server = server;
  }

  /**
   * Starts the service, with two services for each task.
   *
   * @param stub address of the services
   */
  public static BindingService start(URI stub) {
    BindingTable table = table(stub);
    Map<String, byte[]> answers = new HashMap<>();
    for (int task = 1; task <= Workload.CALLS; task++) {
      byte[] answer = answer("200 OK", "{\"endpoint\":\"" + stub + "/svc/s" + task + "\"}");
      answers.put("cheap" + task, answer);
      answers.put("dear" + task, answer);
    }
    byte[] unknown = answer("404 Not Found", "{}");
    NettyTransport nettyTransport = NettyTransport.best();
    return new BindingService(
        SingleLoopServer.listen(
            nettyTransport.loops(1, "bindings"),
            nettyTransport,
            0,
            () ->
                new RequestAggregator() {
                  @Override
                  protected void onRequest(
                      ChannelHandlerContext ctx, HttpMethod method, String uri) {
                    byte[] chosen = answers.getOrDefault(chosen(table, uri), unknown);
                    ByteBuf out = ctx.alloc().ioBuffer(chosen.length);
                    answer(ctx, out.writeBytes(chosen));
                  }
                }));
  }

  private static String chosen(BindingTable table, String uri) {
    int end = uri.indexOf('/', ASKED.length());
    if (!uri.startsWith(ASKED) || end < 0) {
      return "";
    }
    BoundService bound = table.service(uri.substring(ASKED.length(), end), uri.substring(end + 1));
    return bound == null ? "" : bound.next().first().id();
  }

  private static BindingTable table(URI stub) {
    ServiceRegistry serviceRegistry = ServiceRegistry.EMPTY;
    Map<String, List<TableShare>> shares = new HashMap<>();
    for (int number = 1; number <= Workload.CALLS; number++) {
      String cheap = "cheap" + number;
      String dear = "dear" + number;
      String task = "s" + number;
      serviceRegistry =
          serviceRegistry.with(service(cheap, 1, task, stub)).with(service(dear, 3, task, stub));
      shares.put(
          task,
          List.of(
              new TableShare(CoordinationPattern.SINGLE, List.of(cheap), 0.6),
              new TableShare(CoordinationPattern.SINGLE, List.of(dear), 0.4)));
    }
    Map<String, Map<String, List<TableShare>>> classes = new HashMap<>();
    BrokerScenario.CLASSES.forEach(name -> classes.put(name, shares));
    return BindingTableBuilder.of(
        new PublishedTable(1, BrokerScenario.CLASSES.getLast(), serviceRegistry, classes),
        source -> {
          throw new IllegalStateException("expected no expression, found " + source);
        },
        new KroneckerCounters(() -> 42));
  }

  private static RegisteredService service(String id, double cost, String task, URI stub) {
    return new RegisteredService(
        new ConcreteService(id, 0.01, 0.999, cost, 1e9),
        Set.of(task),
        stub + "/svc/" + task,
        true,
        InterfaceMapping.NONE,
        null,
        null);
  }

  private static byte[] answer(String status, String body) {
    return ("HTTP/1.1 "
            + status
            + "\r\ncontent-type: application/json\r\ncontent-length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(US_ASCII);
  }

  /** Address of the service. */
  public URI uri() {
    return server.uri();
  }

  @Override
  public void close() {
    server.close();
  }
}
