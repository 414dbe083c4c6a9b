package dev.pinion.core.request;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.Looks;
import io.netty.buffer.ByteBuf;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Makes answers from views of instances. */
final class InstanceRendering {
  /** The profiler's name for work on outputs. */
  private static final String OUTPUT = "(output)";

  private final RequestJson json;
  private final InstanceJson instanceJson;

  InstanceRendering(RequestJson json) {
    this.json = json;
    this.instanceJson = new InstanceJson(json);
  }

  InstanceJson json() {
    return instanceJson;
  }

  static String path(InstanceId id) {
    return "/v1/instances/" + id;
  }

  /**
   * Entity tag: of a running instance it includes the state, which changes between events too. Of
   * an ended one it consists of data in both kernel and history, so that it stays the same when the
   * kernel drops the instance.
   */
  static String etag(InstanceView view) {
    InstanceState state = view.state();
    long version = state.isTerminal() ? view.endedAtEpochMillis() : view.sequence();
    return "\"" + version + "-" + state.name().toLowerCase(Locale.ROOT) + "\"";
  }

  /** Answers 200 with all known data of an instance. */
  void whole(Exchange exchange, InstanceView view, UnaryOperator<Answer> more) throws Refusal {
    int look = Looks.count();
    exchange.about(view.definition());
    ByteBuf body = exchange.scratch();
    instanceJson.write(body, view, view.output());
    exchange.answer(more.apply(Answer.of(200, MediaTypes.JSON, body)));
    Looks.worked(look, Looks.Worker.REQUEST, view.definition(), OUTPUT, view.tags().serviceClass());
  }

  /** Answers with an instance without output and error. */
  void brief(Exchange exchange, InstanceView view, int status, UnaryOperator<Answer> more) {
    exchange.about(view.definition());
    ByteBuf body = exchange.scratch();
    instanceJson.writeBrief(body, view);
    exchange.answer(more.apply(Answer.of(status, MediaTypes.JSON, body)));
  }

  /** Answers 200 with only the output. */
  void outputAlone(Exchange exchange, InstanceView view, Payload output) throws Refusal {
    int look = Looks.count();
    exchange.about(view.definition());
    ByteBuf body = exchange.scratch();
    json.write(output, body);
    exchange.answer(Answer.of(200, MediaTypes.JSON, body).field("etag", etag(view)));
    Looks.worked(look, Looks.Worker.REQUEST, view.definition(), OUTPUT, view.tags().serviceClass());
  }
}
