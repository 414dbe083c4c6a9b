package dev.pinion.benchmarks.broker;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.pinion.benchmarks.bare.LoopServer;
import dev.pinion.benchmarks.bare.RequestHandler;
import dev.pinion.broker.binding.BindingPlan;
import dev.pinion.broker.binding.Counters;
import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Pattern;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.ClassLevel;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The broker's choice as a service of its own: {@code GET /bind/CLASS/TASK} answers {@code
 * {"endpoint":"…"}}. Chooses as the engine does in process, on one event loop, on the loopback
 * interface; anything else is 404.
 */
public final class BindingService implements AutoCloseable {
  private static final String ASKED = "/bind/";

  private final LoopServer server;

  private BindingService(LoopServer server) {
    this.server = server;
  }

  /**
   * Starts it, with two services for each task.
   *
   * @param stub where the services are
   */
  public static BindingService start(URI stub) {
    BindingPlan plan = plan();
    Map<String, byte[]> answers = new HashMap<>();
    for (int task = 1; task <= Workload.CALLS; task++) {
      byte[] answer = answer("200 OK", "{\"endpoint\":\"" + stub + "/svc/s" + task + "\"}");
      answers.put("cheap" + task, answer);
      answers.put("dear" + task, answer);
    }
    byte[] unknown = answer("404 Not Found", "{}");
    Transport transport = Transport.best();
    return new BindingService(
        LoopServer.listen(
            transport.loops(1, "bindings"),
            transport,
            0,
            () ->
                new RequestHandler() {
                  @Override
                  protected void onRequest(
                      ChannelHandlerContext ctx, HttpMethod method, String uri) {
                    byte[] chosen = answers.getOrDefault(chosen(plan, uri), unknown);
                    ByteBuf out = ctx.alloc().ioBuffer(chosen.length);
                    answer(ctx, out.writeBytes(chosen));
                  }
                }));
  }

  private static String chosen(BindingPlan plan, String uri) {
    int end = uri.indexOf('/', ASKED.length());
    if (!uri.startsWith(ASKED) || end < 0) {
      return "";
    }
    Implementation choice = plan.choose(uri.substring(ASKED.length(), end), uri.substring(end + 1));
    return choice == null ? "" : choice.services().getFirst().id();
  }

  private static BindingPlan plan() {
    List<AbstractTask> tasks = new ArrayList<>();
    Map<String, List<Share>> shares = new HashMap<>();
    for (int number = 1; number <= Workload.CALLS; number++) {
      ConcreteService cheap = new ConcreteService("cheap" + number, 0.01, 0.999, 1, 1e9);
      ConcreteService dear = new ConcreteService("dear" + number, 0.01, 0.999, 3, 1e9);
      tasks.add(new AbstractTask("s" + number, List.of(cheap, dear), EnumSet.of(Pattern.SINGLE)));
      shares.put(
          "s" + number,
          List.of(
              new Share(Implementation.single(cheap), 0.6),
              new Share(Implementation.single(dear), 0.4)));
    }
    List<ClassLevel> levels =
        Market.CLASSES.stream()
            .map(name -> new ClassLevel(name, 0.06, -0.006, 10, 1, shares))
            .toList();
    return BindingPlan.of(1, tasks, levels, new Counters(() -> 42));
  }

  private static byte[] answer(String status, String body) {
    String head = "HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n";
    return (head.formatted(status, body.length()) + body).getBytes(US_ASCII);
  }

  /** Where it listens. */
  public URI uri() {
    return server.uri();
  }

  @Override
  public void close() {
    server.close();
  }
}
