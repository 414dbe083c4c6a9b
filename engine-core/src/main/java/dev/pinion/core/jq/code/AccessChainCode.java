package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.Indexing;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.ValuePath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code target.a[k][from:to][] …} of many accesses, made in a loop. As with one access, the last
 * key is the outer loop and is evaluated first, on the input of the whole.
 */
public final class AccessChainCode extends Code {
  /** Frames of an access to all items, and of a key with several outputs. */
  private static final int FRAMES = 6;

  private final Code target;
  private final Access[] accesses;
  private final Code[] keys;

  public AccessChainCode(Code target, List<Access> accesses) {
    this(target, accesses.toArray(Access[]::new), keys(accesses));
  }

  private AccessChainCode(Code target, Access[] accesses, Code[] keys) {
    super(
        target.single && ConstructionCode.allSingle(keys) && count(accesses, true) == 0,
        target.atMostOne && PipelineCode.allAtMostOne(keys) && count(accesses, false) == 0,
        target.height + OperatorChainCode.height(keys) + FRAMES * (1 + count(accesses, false)));
    this.target = target;
    this.accesses = accesses;
    this.keys = keys;
  }

  /** One access of a chain. */
  public sealed interface Access {
    /** {@code .a.b} */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only read
    record Fields(TextNode... names) implements Access {}

    /** {@code [key]}, {@code [key]?} */
    record Key(Code key, boolean optional) implements Access {}

    /** {@code [from:to]}, {@code [from:to]?} */
    record Range(Code from, Code to, boolean optional) implements Access {}

    /** {@code []}, {@code []?} */
    record Items(boolean optional) implements Access {}
  }

  /** The keys of all accesses, in the opposite of the order in which they are evaluated. */
  private static Code[] keys(List<Access> accesses) {
    List<Code> keys = new ArrayList<>();
    for (Access access : accesses) {
      if (access instanceof Access.Key key) {
        keys.add(key.key);
      } else if (access instanceof Access.Range range) {
        keys.add(range.to);
        keys.add(range.from);
      }
    }
    return keys.toArray(Code[]::new);
  }

  /** How many accesses may have several outputs or, where those count too, none. */
  private static int count(Access[] accesses, boolean optional) {
    int count = 0;
    for (Access access : accesses) {
      boolean counted =
          switch (access) {
            case Access.Items items -> true;
            case Access.Key key -> optional && key.optional;
            case Access.Range range -> optional && range.optional;
            case Access.Fields fields -> false;
          };
      count += counted ? 1 : 0;
    }
    return count;
  }

  @Override
  public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
    HeldOutput held = HeldOutput.of(this, in, null, env, evaluationContext);
    if (held.value == null) {
      throw new IllegalStateException("expected an output of accesses that are not optional");
    }
    return held.value;
  }

  @Override
  public boolean each(
      JsonNode in,
      @Nullable ValuePath valuePath,
      @Nullable Env env,
      EvaluationContext evaluationContext,
      OutputSink out) {
    JsonNode[] values = new JsonNode[keys.length];
    evaluationContext.charge(keys.length);
    Walk walk = new Walk(accesses, values, evaluationContext, out);
    return choose(keys.length - 1, walk, in, valuePath, env);
  }

  /** Goes through the outputs of the keys from one down to the first, then of the target. */
  private boolean choose(
      int last, Walk walk, JsonNode in, @Nullable ValuePath valuePath, @Nullable Env env) {
    for (int i = last; i >= 0; i--) {
      Code key = keys[i];
      if (!key.atMostOne) {
        int at = i;
        return key.each(
            in,
            null,
            env,
            walk.run,
            (value, p) -> {
              walk.keys[at] = value;
              return choose(at - 1, walk, in, valuePath, env);
            });
      }
      JsonNode value = HeldOutput.value(key, in, env, walk.run);
      if (value == null) {
        return true;
      }
      walk.keys[i] = value;
    }
    return target.each(in, valuePath, env, walk.run, walk);
  }

  /** Makes the accesses on each output of the target. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, only read
  private record Walk(Access[] accesses, JsonNode[] keys, EvaluationContext run, OutputSink out)
      implements OutputSink {
    @Override
    public boolean emit(JsonNode value, @Nullable ValuePath valuePath) {
      return from(0, 0, value, valuePath);
    }

    private boolean from(int first, int firstKey, JsonNode start, @Nullable ValuePath startPath) {
      JsonNode value = start;
      ValuePath at = startPath;
      int key = firstKey;
      for (int i = first; i < accesses.length; i++) {
        Access access = accesses[i];
        if (access instanceof Access.Items items) {
          int next = i + 1;
          int nextKey = key;
          return PathCode.Iterate.iterate(
              value, at, items.optional, run, (v, p) -> from(next, nextKey, v, p));
        }
        at = at == null ? null : path(access, key, value, at);
        JsonNode part = part(access, key, value);
        if (part == null) {
          return true;
        }
        value = part;
        key += access instanceof Access.Range ? 2 : access instanceof Access.Key ? 1 : 0;
      }
      return out.emit(value, at);
    }

    /** The part of a value that an access reads; null where an optional one fails. */
    private @Nullable JsonNode part(Access access, int key, JsonNode of) {
      try {
        return switch (access) {
          case Access.Fields fields -> fields(fields, of);
          case Access.Key k -> Indexing.get(of, keys[key], run);
          case Access.Range r -> Indexing.slice(of, keys[key + 1], keys[key], run);
          case Access.Items items -> throw new IllegalStateException("expected one part");
        };
      } catch (JqException e) {
        if (!optional(access)) {
          throw e;
        }
        run.charge(20);
        return null;
      }
    }

    private JsonNode fields(Access.Fields fields, JsonNode of) {
      run.charge(fields.names.length);
      JsonNode value = of;
      for (TextNode name : fields.names) {
        value = Indexing.field(value, name.textValue(), name);
      }
      return value;
    }

    private static boolean optional(Access access) {
      return switch (access) {
        case Access.Key key -> key.optional;
        case Access.Range range -> range.optional;
        case Access.Items items -> items.optional;
        case Access.Fields fields -> false;
      };
    }

    private ValuePath path(Access access, int key, JsonNode of, ValuePath at) {
      return switch (access) {
        case Access.Fields fields -> fieldsPath(fields, of, at);
        case Access.Key k -> PathCode.child(at, keys[key], of, run);
        case Access.Range r ->
            PathCode.child(at, SliceCode.key(keys[key + 1], keys[key], run), of, run);
        case Access.Items items -> throw new IllegalStateException("expected one part");
      };
    }

    private ValuePath fieldsPath(Access.Fields fields, JsonNode of, ValuePath start) {
      JsonNode value = of;
      ValuePath at = start;
      for (TextNode name : fields.names) {
        at = PathCode.child(at, name, value, run);
        value = Indexing.field(value, name.textValue(), name);
      }
      return at;
    }
  }
}
