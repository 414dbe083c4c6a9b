package dev.pinion.core.request;

import static dev.pinion.core.request.Route.Response.empty;
import static dev.pinion.core.request.Route.Response.problem;

import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Callbacks;
import dev.pinion.core.model.LateAnswer;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.BindingSource;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Receives late answers of services, at addresses that were sent with their calls. The token of an
 * address is the only authentication: its holder is the called service, or received it from there.
 */
final class LateAnswerEndpoints {
  private static final Pattern STATUS = Pattern.compile("[1-9][0-9]{2}");

  private static final String DATA = "data";

  private final RequestHandler handler;
  private final BindingSource bindings;
  private final OwnerRouting owners;
  private final int maxBytes;

  /**
   * Endpoints of a handler.
   *
   * @param maxBytes most bytes of an answer
   */
  LateAnswerEndpoints(RequestHandler handler, int maxBytes) {
    this.handler = handler;
    this.maxBytes = maxBytes;
    this.bindings = handler.ports().bindings();
    this.owners =
        new OwnerRouting(handler.ports().neighbourhood(), new PeerRelay(handler.ports().peers()));
  }

  /** Receives an answer at its address. */
  void post(Exchange exchange) throws Refusal {
    Callbacks.Call call = call(exchange.variable(0));
    String status = exchange.header(Callbacks.STATUS_FIELD);
    String type = exchange.header("content-type");
    byte[] body = ByteBufUtil.getBytes(exchange.body());
    handler.json().requireOnce(type, body);
    take(
        exchange,
        call,
        LateAnswer.of(
            status == null ? LateAnswer.OK : status(Callbacks.STATUS_FIELD, status),
            type == null ? "" : type,
            body),
        () -> exchange.answer(Answer.empty(204)));
  }

  /** Whether an event is a late answer. */
  static boolean isLateAnswer(Payload event) {
    return RequestJson.text(event, "type").equals(Callbacks.EVENT_TYPE);
  }

  /**
   * Receives an answer as an event: the subject is the token, and the data is the body.
   *
   * @param then answers the exchange when the answer is accepted
   */
  void answered(Exchange exchange, Payload event, Exchange.Step then) throws Refusal {
    for (String attribute : List.of("id", "source")) {
      if (RequestJson.text(event, attribute).isEmpty()) {
        throw new Refusal(
            ProblemType.BAD_BODY, "expected an event with the attribute " + attribute);
      }
    }
    String version = RequestJson.text(event, "specversion");
    if (!version.equals("1.0")) {
      throw new Refusal(
          ProblemType.BAD_BODY,
          "expected 1.0 as specversion of an event, found " + Problem.quoted(version));
    }
    Callbacks.Call call = call(RequestJson.text(event, "subject"));
    String status = RequestJson.text(event, Callbacks.STATUS_ATTRIBUTE);
    Payload data =
        RequestJson.names(event).contains(DATA) ? RequestJson.member(event, DATA) : Payload.NULL;
    take(
        exchange,
        call,
        LateAnswer.of(
            status.isEmpty() ? LateAnswer.OK : status(Callbacks.STATUS_ATTRIBUTE, status),
            data.isNull() ? "" : MediaTypes.JSON,
            data.isNull() ? new byte[0] : handler.json().bytes(data)),
        then);
  }

  private Callbacks.Call call(String token) throws Refusal {
    return Optional.ofNullable(bindings.callbacks())
        .flatMap(callbacks -> callbacks.call(token))
        .orElseThrow(
            () ->
                new Refusal(
                    ProblemType.NOT_FOUND,
                    "expected the address that came with a call in the field "
                        + Callbacks.FIELD
                        + ", found another one"));
  }

  private static int status(String where, String text) throws Refusal {
    int status = STATUS.matcher(text).matches() ? Integer.parseInt(text) : 0;
    if (!LateAnswer.isStatus(status)) {
      throw new Refusal(
          ProblemType.BAD_PARAMETER,
          "expected a status from 200 to 599 other than 202 as "
              + where
              + ", found "
              + Problem.quoted(text));
    }
    return status;
  }

  private void take(Exchange exchange, Callbacks.Call call, LateAnswer answer, Exchange.Step then)
      throws Refusal {
    if (answer.bytes().length > maxBytes) {
      throw new Refusal(
          ProblemType.BODY_TOO_LARGE,
          "expected at most " + maxBytes + " bytes as the answer of a call, found more");
    }
    if (owners.sendElsewhere(exchange, call.id())) {
      return;
    }
    if (!handler.ports().heap().hasRoomForAnswers()) {
      throw noRoom();
    }
    Taking taking = new Taking(exchange, then);
    long request = exchange.await(taking, 0);
    KernelEvent event =
        new KernelEvent.AnsweredLate(
            call.id(),
            call.activity(),
            call.attempt(),
            call.service(),
            answer,
            new ReplyAddress(handler.index(), request));
    if (!handler.offer(event)) {
      throw new Refusal(Problem.overload("kernel.inboxCapacity"));
    }
  }

  private static Refusal noRoom() {
    return new Refusal(Problem.overload("kernel.maxHeldBytes"));
  }

  /** One answer that was sent to a kernel. */
  private static final class Taking extends Inquiry {
    private final Exchange.Step then;

    Taking(Exchange exchange, Exchange.Step then) {
      super(exchange);
      this.then = then;
    }

    @Override
    void onReply(KernelReply reply) throws Refusal {
      switch (reply) {
        case KernelReply.LateAnswerReceived(KernelReply.Reception reception) -> {
          switch (reception) {
            case TAKEN -> then.run();
            case NOT_AWAITED ->
                throw new Refusal(
                    ProblemType.NOT_AWAITED,
                    "expected a call that waits for this answer, found that it has ended: it was"
                        + " answered before, its time was over, or it is not needed any more");
            case NOT_YET ->
                throw new Refusal(
                    Problem.of(
                            ProblemType.NOT_YET,
                            "expected a call that is under way, found that it waits to be made"
                                + " again; repeat the request later")
                        .field("retry-after", "1"));
            case FULL -> throw new Refusal(Problem.overload("kernel.maxLateAnswers"));
            case NO_ROOM -> throw noRoom();
          }
        }
        case KernelReply.Elsewhere _ -> throw InstanceEndpoints.moves();
        default ->
            throw new IllegalStateException("expected a reply to a late answer, found " + reply);
      }
    }
  }

  /** The operation, for the route table. */
  Route route() {
    return new Route(
        "POST",
        new PathTemplate(Callbacks.PATH + "{token}"),
        "answerCall",
        "Answers a call that its service has answered with 202, at the address of its field "
            + Callbacks.FIELD
            + ".",
        List.of(
            new Route.Parameter(
                Route.In.HEADER,
                Callbacks.STATUS_FIELD,
                "AnswerStatus",
                "the status of the answer, from 200 to 599 but not 202; 200 by default")),
        Route.Body.of(List.of(MediaTypes.ANY), false, "Anything", maxBytes),
        List.of(
            empty(204, "the answer counts, and is kept as the instance is"),
            problem(404, "no address of this engine"),
            problem(410, "the call does not wait for this answer, or not any more"),
            problem(503, "the call is not under way yet; Retry-After says when to repeat")),
        false,
        this::post);
  }
}
