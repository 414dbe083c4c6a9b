package dev.pinion.handlers.remote.protocol;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes and reads the content of frames: texts, bodies, changes and verdicts. */
final class ContentCodec {
  private static final int GO_ON = 0;
  private static final int ANSWER = 1;
  private static final int REFUSE = 2;
  private static final int SET_PROPERTY = 0;
  private static final int SET_BODY = 1;
  private static final int SET_JSON = 2;

  private final PayloadCodec codec;
  private final int maxChanges;
  private final int maxProperties;
  private final int maxDepth;

  ContentCodec(EngineLimits engine, RemoteLimits limits) {
    this.codec = new PayloadCodec(engine.json());
    this.maxChanges = limits.maxChanges();
    this.maxProperties = engine.handlers().maxProperties();
    this.maxDepth = engine.json().maxDepth();
  }

  byte[] json(Payload value) {
    return codec.toExactBytes(value);
  }

  Payload json(byte[] bytes) throws PayloadSyntaxException {
    return codec.read(bytes, 0, bytes.length);
  }

  void texts(FrameWriter out, SortedMap<String, String> texts)
      throws IOException, MalformedFrameException {
    out.number(texts.size());
    for (Map.Entry<String, String> each : texts.entrySet()) {
      out.text(each.getKey()).text(each.getValue());
    }
  }

  SortedMap<String, String> texts(FrameInput in, int most) throws MalformedFrameException {
    SortedMap<String, String> texts = new TreeMap<>();
    int count = in.count(most);
    for (int i = 0; i < count; i++) {
      texts.put(in.text(), in.text());
    }
    return texts;
  }

  void body(FrameWriter out, Body body) throws IOException, MalformedFrameException {
    out.flag(!body.isRaw()).text(body.mediaType());
    try {
      out.blob(body.isRaw() ? body.bytes(codec) : json(body.json(codec)));
    } catch (PayloadSyntaxException e) { // it is a value already
      throw new MalformedFrameException("expected a JSON value, found: " + e.getMessage(), e);
    }
  }

  Body body(FrameInput in) throws MalformedFrameException, PayloadSyntaxException {
    boolean json = in.flag();
    String mediaType = in.text();
    byte[] bytes = in.blob();
    return json ? Body.of(json(bytes), mediaType) : Body.of(bytes, mediaType);
  }

  void verdict(FrameWriter out, Verdict verdict) throws IOException, MalformedFrameException {
    switch (verdict) {
      case Verdict.GoOn goOn -> changes(out.number(GO_ON), goOn.changes().list());
      case Verdict.Answer answer -> {
        texts(out.number(ANSWER).number(answer.status()), answer.headers());
        body(out, answer.body());
      }
      case Verdict.Refuse refuse -> {
        WorkflowError problem = refuse.problem();
        out.number(REFUSE).text(problem.type()).number(problem.status());
        out.optional(problem.title()).optional(problem.detail()).optional(problem.instance());
      }
    }
  }

  Verdict verdict(FrameInput in) throws MalformedFrameException, PayloadSyntaxException {
    int kind = in.u8();
    return switch (kind) {
      case GO_ON -> Verdict.goOn(changes(in));
      case ANSWER -> new Verdict.Answer(in.i32(), texts(in, maxProperties), body(in));
      case REFUSE ->
          new Verdict.Refuse(
              new WorkflowError(in.text(), in.i32(), in.optional(), in.optional(), in.optional()));
      default -> throw new MalformedFrameException("expected a verdict, 0 to 2, found " + kind);
    };
  }

  private void changes(FrameWriter out, List<Changes.Change> changes)
      throws IOException, MalformedFrameException {
    if (changes.size() > maxChanges) {
      throw new MalformedFrameException(
          "expected at most "
              + maxChanges
              + " changes (handlers.remote.maxChanges), found "
              + changes.size());
    }
    out.number(changes.size());
    for (Changes.Change change : changes) {
      switch (change) {
        case Changes.SetProperty(String name, var value) ->
            out.number(SET_PROPERTY).text(name).optional(value);
        case Changes.SetBody(Body body) -> body(out.number(SET_BODY), body);
        case Changes.SetJson(var path, var value) -> {
          path(out.number(SET_JSON), path);
          optional(out, value);
        }
      }
    }
  }

  private Changes changes(FrameInput in) throws MalformedFrameException, PayloadSyntaxException {
    int count = in.count(maxChanges);
    List<Changes.Change> changes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int kind = in.u8();
      changes.add(
          switch (kind) {
            case SET_PROPERTY -> new Changes.SetProperty(in.text(), in.optional());
            case SET_BODY -> new Changes.SetBody(body(in));
            case SET_JSON -> new Changes.SetJson(path(in), in.flag() ? json(in.blob()) : null);
            default ->
                throw new MalformedFrameException("expected a change, 0 to 2, found " + kind);
          });
    }
    return new Changes(changes);
  }

  private static void path(FrameWriter out, List<String> path)
      throws IOException, MalformedFrameException {
    out.number(path.size());
    for (String name : path) {
      out.text(name);
    }
  }

  private List<String> path(FrameInput in) throws MalformedFrameException {
    int count = in.count(maxDepth);
    List<String> path = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      path.add(in.text());
    }
    return path;
  }

  private void optional(FrameWriter out, @Nullable Payload value) throws IOException {
    if (value == null) {
      out.flag(false);
    } else {
      out.flag(true).blob(json(value));
    }
  }
}
