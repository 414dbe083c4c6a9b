package dev.pinion.core.request;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import io.netty.buffer.ByteBuf;
import java.util.function.UnaryOperator;

/** Turns views of instances into answers. */
final class InstanceRendering {
  private final RequestJson json;
  private final InstanceJson instanceJson;
  private final Outputs outputs;

  InstanceRendering(RequestJson json, Outputs outputs) {
    this.json = json;
    this.instanceJson = new InstanceJson(json);
    this.outputs = outputs;
  }

  InstanceJson json() {
    return instanceJson;
  }

  Outputs outputs() {
    return outputs;
  }

  static String path(InstanceId id) {
    return "/v1/instances/" + id;
  }

  static String etag(InstanceView view) {
    return "\"" + view.sequence() + "\"";
  }

  /** Answers 200 with all that is known of an instance. */
  void whole(Exchange exchange, InstanceView view, UnaryOperator<Answer> more) throws Refusal {
    outputs.out(
        exchange,
        view.definition(),
        view.output(),
        output -> {
          ByteBuf body = exchange.scratch();
          instanceJson.write(body, view, output);
          exchange.answer(more.apply(Answer.of(200, MediaTypes.JSON, body)));
        });
  }

  /** Answers with an instance without output and error. */
  void brief(Exchange exchange, InstanceView view, int status, UnaryOperator<Answer> more) {
    ByteBuf body = exchange.scratch();
    instanceJson.writeBrief(body, view);
    exchange.answer(more.apply(Answer.of(status, MediaTypes.JSON, body)));
  }

  /** Answers 200 with the output alone. */
  void outputAlone(Exchange exchange, InstanceView view, Payload output) throws Refusal {
    outputs.out(
        exchange,
        view.definition(),
        output,
        passed -> {
          ByteBuf body = exchange.scratch();
          json.write(passed == null ? Payload.NULL : passed, body);
          exchange.answer(Answer.of(200, MediaTypes.JSON, body).field("etag", etag(view)));
        });
  }
}
