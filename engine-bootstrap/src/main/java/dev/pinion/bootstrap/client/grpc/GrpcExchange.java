package dev.pinion.bootstrap.client.grpc;

import com.google.protobuf.DynamicMessage;
import dev.pinion.bootstrap.client.call.OutcomeReport;
import dev.pinion.bootstrap.client.grpc.ServiceChannels.LentChannel;
import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.http.InvalidCallException;
import dev.pinion.core.invoker.http.Origin;
import dev.pinion.core.invoker.http.TargetUri;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.GrpcCall;
import dev.pinion.core.model.call.HttpCall;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of a method. Begun and cancelled by its Invoker, else on the client's event loop. */
final class GrpcExchange implements ServiceCaller.OngoingCall, ServiceChannels.ChannelListener {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcExchange.class);

  /** Messages that may come before the first is handled: one more than there should be of one. */
  private static final int FIRST_MESSAGES = 2;

  private static final String BYTES = "-bin";

  private final GrpcCall call;
  private final GrpcClient client;
  private final OutcomeReport report;
  private volatile String waitsFor = "its start";
  private @Nullable GrpcMethodCodec codec;
  private @Nullable DynamicMessage request;
  private Metadata metadata = new Metadata();
  private String service = "";
  private @Nullable LentChannel lent;
  private @Nullable ClientCall<DynamicMessage, DynamicMessage> ongoing;
  private boolean ended;

  GrpcExchange(GrpcCall call, GrpcClient client, OutcomeReport report) {
    this.call = call;
    this.client = client;
    this.report = report;
  }

  /** Begins the call. On the thread of the Invoker. */
  void begin() {
    try {
      client.loop().execute(this::start);
    } catch (RejectedExecutionException e) {
      report.fail(ErrorType.RUNTIME, "the engine stopped before the call began");
    }
  }

  @Override
  public void cancel() {
    report.cancel();
    try {
      client.loop().execute(() -> abandon("the call was abandoned"));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} ended with its client", call.description());
    }
  }

  @Override
  public String waitsFor() {
    return waitsFor;
  }

  private void start() {
    if (ended) {
      return;
    }
    try {
      GrpcMethodCodec known = client.codec(call.method());
      codec = known;
      Payload arguments = call.body();
      request = known.requests().message(arguments == null ? Payload.EMPTY_OBJECT : arguments);
      metadata = metadata();
      Origin origin = TargetUri.parse(call.request().uri()).origin();
      service = origin.toString();
      waitsFor = "a connection to " + origin;
      client.channels().take(origin, this);
    } catch (InvalidArgumentsException e) {
      fail(ErrorType.CONFIGURATION, shown(e) + ", in " + call.description());
    } catch (InvalidCallException e) {
      fail(ErrorType.CONFIGURATION, e.problem());
    } catch (RuntimeException e) {
      onDefect(e);
    }
  }

  @Override
  public void onFailure(CallOutcome.Failed failure) {
    end(failure, false);
  }

  @Override
  public void onChannel(LentChannel channel) {
    GrpcMethodCodec known = codec;
    DynamicMessage message = request;
    if (ended || known == null || message == null) {
      channel.giveBack(false);
      return;
    }
    lent = channel;
    waitsFor = "the answer of " + service;
    try {
      GrpcAnswers answers =
          new GrpcAnswers(
              known.answers(), client.json(), client.limits(), call.method().streamsAnswers());
      ClientCall<DynamicMessage, DynamicMessage> begun =
          channel.channel().newCall(known.method(), CallOptions.DEFAULT);
      ongoing = begun;
      begun.start(new AnswerListener(begun, answers), metadata);
      begun.request(FIRST_MESSAGES);
      begun.sendMessage(message);
      begun.halfClose();
    } catch (RuntimeException e) {
      onDefect(e);
    }
  }

  /** The problem of the arguments, unless it may show a part of a secret in them. */
  private String shown(InvalidArgumentsException problem) {
    Payload arguments = call.body();
    return arguments != null && call.showsSecret(arguments.toString())
        ? "expected arguments that the method takes, found others; what is wrong is left out, as"
            + " they hold a secret"
        : problem.problem();
  }

  private Metadata metadata() throws InvalidArgumentsException {
    Metadata made = new Metadata();
    for (HttpCall.HeaderField each : call.request().headers()) {
      String name = each.name().toLowerCase(Locale.ROOT);
      if (each.value().indexOf('\t') >= 0) { // the library would leave it out, and log it
        throw new InvalidArgumentsException(
            "expected metadata \"" + each.name() + "\" without tabs, found one");
      }
      try {
        if (name.endsWith(BYTES)) {
          made.put(
              Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER),
              Base64.getDecoder().decode(each.value()));
        } else {
          made.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), each.value());
        }
      } catch (IllegalArgumentException e) {
        throw new InvalidArgumentsException(
            "expected metadata \"" + each.name() + "\" as gRPC has it, found: " + e.getMessage());
      }
    }
    return made;
  }

  /** Fails the call by a defect, whose message may show what the call sends. */
  private void onDefect(RuntimeException e) {
    LOG.error("{} could not be made: {}", call.description(), e.getClass().getName());
    fail(ErrorType.RUNTIME, "the call could not be made: " + e.getClass().getSimpleName());
  }

  private void fail(ErrorType type, String detail) {
    end(CallFailures.of(type, detail), false);
  }

  private void end(CallOutcome outcome, boolean broken) {
    if (!ended) {
      report.tell(outcome);
      release("the call has failed", broken);
    }
  }

  private void abandon(String reason) {
    if (!ended) {
      release(reason, false);
    }
  }

  private void release(String reason, boolean broken) {
    ended = true;
    request = null;
    if (ongoing != null) {
      ongoing.cancel(reason, null); // no effect on a call that has ended
    }
    if (lent != null) {
      lent.giveBack(broken);
    }
  }

  /** Receives what the service answers. */
  private final class AnswerListener extends ClientCall.Listener<DynamicMessage> {
    private final ClientCall<DynamicMessage, DynamicMessage> begun;
    private final GrpcAnswers answers;

    AnswerListener(ClientCall<DynamicMessage, DynamicMessage> begun, GrpcAnswers answers) {
      this.begun = begun;
      this.answers = answers;
    }

    @Override
    public void onMessage(DynamicMessage message) {
      if (ended) {
        return;
      }
      try {
        answers.add(message);
        begun.request(1);
      } catch (InvalidAnswerException e) {
        refuse(e);
      } catch (RuntimeException e) {
        onDefect(e);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (ended) {
        return;
      }
      if (!status.isOk()) {
        onRefused(status);
        return;
      }
      try {
        end(new CallOutcome.Succeeded(answers.output()), false);
      } catch (InvalidAnswerException e) {
        refuse(e);
      }
    }

    private void onRefused(Status status) {
      CallOutcome failure =
          GrpcStatuses.failure(call, status, client.limits().invoker().maxResponseBytes());
      if (status.getCode() == Status.Code.UNAUTHENTICATED) {
        report.refused(failure);
        release("the call has failed", false);
      } else {
        end(failure, status.getCode() == Status.Code.UNAVAILABLE);
      }
    }

    private void refuse(InvalidAnswerException e) {
      fail(ErrorType.COMMUNICATION, e.problem() + ", in the answer to " + call.description());
    }
  }
}
