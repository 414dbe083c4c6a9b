package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.Indexing;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code target[from:to]}, {@code target[from:to]?}; from is the outer loop, then to. */
public final class SliceCode extends Code {
  private final Code target;
  private final Code from;
  private final Code to;
  private final boolean optional;

  public SliceCode(Code target, Code from, Code to, boolean optional) {
    super(
        target.single && from.single && to.single && !optional,
        target.atMostOne && from.atMostOne && to.atMostOne,
        9 + target.height + from.height + to.height);
    this.optional = optional;
    this.target = target;
    this.from = from;
    this.to = to;
  }

  @Override
  public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    JsonNode start = from.one(in, env, evaluationContext);
    JsonNode end = to.one(in, env, evaluationContext);
    return Indexing.slice(target.one(in, env, evaluationContext), start, end, evaluationContext);
  }

  @Override
  public boolean each(
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    return from.each(
        in,
        null,
        env,
        evaluationContext,
        (start, p) ->
            to.each(
                in,
                null,
                env,
                evaluationContext,
                (end, q) ->
                    target.each(
                        in,
                        valuePath,
                        env,
                        evaluationContext,
                        (value, of) -> {
                          ValuePath next =
                              of == null
                                  ? null
                                  : PathCode.child(
                                      of,
                                      key(start, end, evaluationContext),
                                      value,
                                      evaluationContext);
                          return PathCode.emit(
                              value,
                              next,
                              optional,
                              v -> Indexing.slice(v, start, end, evaluationContext),
                              evaluationContext,
                              out);
                        })));
  }

  /** The key of a slice in a path. */
  static JsonNode key(JsonNode start, JsonNode end, EvaluationContext evaluationContext) {
    evaluationContext.object(2);
    Map<String, JsonNode> members = JqValues.members(2);
    members.put("start", start);
    members.put("end", end);
    return JqValues.object(members);
  }
}
