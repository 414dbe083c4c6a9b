package dev.pinion.core.api.instance;

import dev.pinion.core.api.json.InstanceJson;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.spi.ProfilingHook;
import io.netty.buffer.ByteBuf;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Makes answers from views of instances. */
public final class InstanceResponses {
  /** The profiler's name for work on outputs. */
  private static final String OUTPUT = "(output)";

  private final RequestJson json;
  private final InstanceJson instanceJson;

  /**
   * Answers of one event loop.
   *
   * @param json writes outputs
   */
  public InstanceResponses(RequestJson json) {
    this.json = json;
    this.instanceJson = new InstanceJson(json);
  }

  /** The JSON of instances. */
  public InstanceJson json() {
    return instanceJson;
  }

  /** Path of an instance. */
  public static String path(InstanceId id) {
    return "/v1/instances/" + id;
  }

  /**
   * Entity tag: of a running instance it includes the state, which changes between events too. Of
   * an ended one it consists of data in both kernel and history, so that it stays the same when the
   * kernel drops the instance.
   */
  public static String etag(InstanceView view) {
    InstanceState state = view.state();
    long version = state.isTerminal() ? view.endedAtEpochMillis() : view.sequence();
    return "\"" + version + "-" + state.name().toLowerCase(Locale.ROOT) + "\"";
  }

  /** Answers 200 with all known data of an instance. */
  public void whole(HttpExchange httpExchange, InstanceView view, UnaryOperator<Response> more)
      throws ProblemException {
    int look = ProfilingHook.samples();
    httpExchange.setSubject(view.definition());
    ByteBuf body = httpExchange.scratch();
    instanceJson.write(body, view, view.output());
    httpExchange.respond(more.apply(Response.of(200, MediaTypes.JSON, body)));
    ProfilingHook.record(
        look,
        ProfilingHook.Component.REQUEST,
        view.definition(),
        OUTPUT,
        view.tags().serviceClass());
  }

  /** Answers with an instance without output and error. */
  public void brief(
      HttpExchange httpExchange, InstanceView view, int status, UnaryOperator<Response> more) {
    httpExchange.setSubject(view.definition());
    ByteBuf body = httpExchange.scratch();
    instanceJson.writeBrief(body, view);
    httpExchange.respond(more.apply(Response.of(status, MediaTypes.JSON, body)));
  }

  /** Answers 200 with only the output. */
  public void outputAlone(HttpExchange httpExchange, InstanceView view, Payload output)
      throws ProblemException {
    int look = ProfilingHook.samples();
    httpExchange.setSubject(view.definition());
    ByteBuf body = httpExchange.scratch();
    json.write(output, body);
    httpExchange.respond(Response.of(200, MediaTypes.JSON, body).field("etag", etag(view)));
    ProfilingHook.record(
        look,
        ProfilingHook.Component.REQUEST,
        view.definition(),
        OUTPUT,
        view.tags().serviceClass());
  }
}
