package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ResponseSpec.empty;
import static dev.pinion.core.http.Route.ResponseSpec.problem;

import dev.pinion.core.api.instance.InstanceProblems;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.RouteEntry;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PathTemplate;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallbackAddresses;
import dev.pinion.core.model.call.CallbackResponse;
import dev.pinion.core.peer.OwnerRouting;
import dev.pinion.core.peer.PeerRelay;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Receives late answers of services, at addresses that were sent with their calls. The token of an
 * address is the only authentication: its holder is the called service, or received it from there.
 */
final class CallbackEndpoint {
  private static final Pattern STATUS = Pattern.compile("[1-9][0-9]{2}");

  private static final String DATA = "data";

  private final RequestContext context;
  private final BindingSource bindings;
  private final OwnerRouting owners;
  private final int maxBytes;

  /**
   * Endpoints of a context.
   *
   * @param maxBytes most bytes of an answer
   */
  CallbackEndpoint(RequestContext context, int maxBytes) {
    this.context = context;
    this.maxBytes = maxBytes;
    this.bindings = context.ports().policies().bindings();
    this.owners =
        new OwnerRouting(
            context.ports().peers().group(), new PeerRelay(context.ports().peers().client()));
  }

  /** Receives an answer at its address. */
  void post(HttpExchange httpExchange) throws ProblemException {
    CallbackAddresses.CallReference callReference = call(httpExchange.variable(0));
    if (httpExchange.headers(CallbackAddresses.STATUS_FIELD).size() > 1) {
      throw new ProblemException(
          ProblemType.MALFORMED_HTTP,
          "expected one field " + CallbackAddresses.STATUS_FIELD + ", found several");
    }
    String status = httpExchange.header(CallbackAddresses.STATUS_FIELD);
    String type = httpExchange.header("content-type");
    byte[] body = ByteBufUtil.getBytes(httpExchange.body());
    context.json().requireOnce(type, body);
    take(
        httpExchange,
        callReference,
        CallbackResponse.of(
            status == null ? CallbackResponse.OK : status(CallbackAddresses.STATUS_FIELD, status),
            type == null ? "" : type,
            body),
        () -> httpExchange.respond(Response.empty(204)));
  }

  /** Whether an event is a late answer. */
  static boolean isLateAnswer(Payload event) {
    return RequestJson.text(event, "type").equals(CallbackAddresses.EVENT_TYPE);
  }

  /**
   * Receives an answer as an event: the subject is the token, and the data is the body.
   *
   * @param then answers the exchange when the answer is accepted
   */
  void answered(HttpExchange httpExchange, Payload event, HttpExchange.ExchangeStep then)
      throws ProblemException {
    for (String attribute : List.of("id", "source")) {
      if (RequestJson.text(event, attribute).isEmpty()) {
        throw new ProblemException(
            ProblemType.BAD_BODY, "expected an event with the attribute " + attribute);
      }
    }
    String version = RequestJson.text(event, "specversion");
    if (!version.equals("1.0")) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected 1.0 as specversion of an event, found " + Problem.quoted(version));
    }
    CallbackAddresses.CallReference callReference = call(RequestJson.text(event, "subject"));
    String status = RequestJson.text(event, CallbackAddresses.STATUS_ATTRIBUTE);
    Payload data =
        RequestJson.names(event).contains(DATA) ? RequestJson.member(event, DATA) : Payload.NULL;
    take(
        httpExchange,
        callReference,
        CallbackResponse.of(
            status.isEmpty()
                ? CallbackResponse.OK
                : status(CallbackAddresses.STATUS_ATTRIBUTE, status),
            data.isNull() ? "" : MediaTypes.JSON,
            data.isNull() ? new byte[0] : context.json().bytes(data)),
        then);
  }

  private CallbackAddresses.CallReference call(String token) throws ProblemException {
    return Optional.ofNullable(bindings.callbacks())
        .flatMap(callbackAddresses -> callbackAddresses.resolve(token))
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.NOT_FOUND,
                    "expected the address that came with a call in the field "
                        + CallbackAddresses.FIELD
                        + ", found another one"));
  }

  private static int status(String where, String text) throws ProblemException {
    int status = STATUS.matcher(text).matches() ? Integer.parseInt(text) : 0;
    if (!CallbackResponse.isStatus(status)) {
      throw new ProblemException(
          ProblemType.BAD_PARAMETER,
          "expected a status from 200 to 599 other than 202 as "
              + where
              + ", found "
              + Problem.quoted(text));
    }
    return status;
  }

  private void take(
      HttpExchange httpExchange,
      CallbackAddresses.CallReference callReference,
      CallbackResponse answer,
      HttpExchange.ExchangeStep then)
      throws ProblemException {
    if (answer.bytes().length > maxBytes) {
      throw new ProblemException(
          ProblemType.BODY_TOO_LARGE,
          "expected at most " + maxBytes + " bytes as the answer of a call, found more");
    }
    if (owners.sendElsewhere(httpExchange, callReference.id())) {
      return;
    }
    if (!context.heap().hasRoomForResponses()) {
      throw noRoom();
    }
    Taking taking = new Taking(httpExchange, context, then);
    taking.await(0);
    Command.AcceptCallback command =
        new Command.AcceptCallback(
            callReference.id(),
            callReference.activity(),
            callReference.attempt(),
            callReference.service(),
            answer,
            taking.replyTo());
    if (!context.offer(command)) {
      throw new ProblemException(Problem.overload("kernel.inboxCapacity"));
    }
  }

  private static ProblemException noRoom() {
    return new ProblemException(Problem.overload("kernel.maxHeldBytes"));
  }

  /** One answer that was sent to a kernel. */
  private static final class Taking extends KernelRequest<Reply.CallbackReply> {
    private final HttpExchange.ExchangeStep then;

    Taking(HttpExchange httpExchange, RequestContext context, HttpExchange.ExchangeStep then) {
      super(httpExchange, context);
      this.then = then;
    }

    @Override
    void onReply(Reply.CallbackReply reply) throws ProblemException {
      switch (reply) {
        case Reply.CallbackResult(Reply.CallbackStatus callbackStatus) -> {
          switch (callbackStatus) {
            case TAKEN -> then.run();
            case NOT_AWAITED ->
                throw new ProblemException(
                    ProblemType.NOT_AWAITED,
                    "expected a call that waits for this answer, found that it has ended: it was"
                        + " answered before, its time was over, or it is not needed any more");
            case NOT_YET ->
                throw new ProblemException(
                    Problem.of(
                            ProblemType.NOT_YET,
                            "expected a call that is under way, found that it waits to be made"
                                + " again; repeat the request later")
                        .field("retry-after", "1"));
            case FULL -> throw new ProblemException(Problem.overload("kernel.maxLateAnswers"));
            case NO_ROOM -> throw noRoom();
          }
        }
        case Reply.NotOwner _ -> throw InstanceProblems.partitionMigrating();
      }
    }
  }

  /** The operation, for the route table. */
  RouteEntry route() {
    Route.Operation operation =
        new Route.Operation(
            "answerCall",
            "Answers a call that its service has answered with 202, at the address of its field "
                + CallbackAddresses.FIELD
                + ".",
            List.of(
                new Route.ParameterSpec(
                    Route.ParameterLocation.HEADER,
                    CallbackAddresses.STATUS_FIELD,
                    "AnswerStatus",
                    "the status of the answer, from 200 to 599 but not 202; 200 by default")),
            Route.BodySpec.of(List.of(MediaTypes.ANY), false, "Anything", maxBytes),
            List.of(
                empty(204, "the answer counts, and is kept as the instance is"),
                problem(404, "no address of this engine"),
                problem(410, "the call does not wait for this answer, or not any more"),
                problem(503, "the call is not under way yet; Retry-After says when to repeat")));
    Route route =
        new Route("POST", new PathTemplate(CallbackAddresses.PATH + "{token}"), operation, false);
    return new RouteEntry(route, this::post);
  }
}
