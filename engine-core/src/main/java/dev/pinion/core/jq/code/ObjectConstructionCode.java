package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.ValuePath;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Code that makes objects. */
public final class ObjectConstructionCode {
  private ObjectConstructionCode() {}

  /** An object with constant keys and single values: the usual kind. */
  public static final class PlainObject extends Code.SingleValue {
    private final String[] keys;
    private final Code[] values;

    public PlainObject(String[] keys, Code[] values) {
      super(1 + ControlFlowCode.maxHeight(values));
      this.keys = keys;
      this.values = values;
    }

    Code[] values() {
      return values;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.object(keys.length / 2);
      Map<String, JsonNode> members = JqValues.members(keys.length);
      for (int i = 0; i < keys.length; i++) {
        members.put(keys[i], values[i].one(in, env, evaluationContext));
      }
      return JqValues.object(members);
    }
  }

  /** An object for every combination of the outputs of its keys and values, the last fastest. */
  public static final class AnyObject extends Code {
    private final Code[] keys;
    private final Code[] values;

    public AnyObject(Code[] keys, Code[] values) {
      super(
          false,
          PipelineCode.allAtMostOne(keys) && PipelineCode.allAtMostOne(values),
          2 + height(keys) + height(values));
      this.keys = keys;
      this.values = values;
    }

    private static int height(Code... codes) {
      int sum = 0;
      for (Code code : codes) {
        sum += code.height + 3; // a loop, and the two frames of a lambda
      }
      return sum;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return member(
          0,
          new Object[keys.length * 2],
          in,
          env,
          evaluationContext,
          object -> out.emit(object, ValuePath.detached(valuePath)));
    }

    private boolean member(
        int i,
        Object[] chosen,
        JsonNode in,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        Complete complete) {
      if (i == keys.length) {
        return complete.object(make(chosen, evaluationContext));
      }
      return keys[i].each(
          in,
          null,
          env,
          evaluationContext,
          (key, p) -> {
            String name = key(key);
            return values[i].each(
                in,
                null,
                env,
                evaluationContext,
                (value, q) -> {
                  chosen[2 * i] = name;
                  chosen[2 * i + 1] = value;
                  return member(i + 1, chosen, in, env, evaluationContext, complete);
                });
          });
    }

    private static String key(JsonNode key) {
      if (key.isTextual()) {
        return key.textValue();
      }
      throw new JqException("Cannot use " + JqValues.describe(key) + " as object key");
    }

    private JsonNode make(Object[] chosen, EvaluationContext evaluationContext) {
      evaluationContext.object(keys.length);
      Map<String, JsonNode> members = LinkedHashMap.newLinkedHashMap(keys.length);
      for (int i = 0; i < chosen.length; i += 2) {
        members.put((String) chosen[i], (JsonNode) chosen[i + 1]);
      }
      return JqValues.object(members);
    }
  }

  private interface Complete {
    boolean object(JsonNode object);
  }
}
