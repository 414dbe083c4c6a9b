package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.code.AssignmentCode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.code.ControlFlowCode;
import dev.pinion.core.jq.code.Env;
import dev.pinion.core.jq.code.NativeCallCode;
import dev.pinion.core.jq.code.OutputSink;
import dev.pinion.core.jq.code.PathCode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.PathAccess;
import dev.pinion.core.jq.value.ValuePath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions about paths: {@code path}, {@code getpath}, {@code del} and the like. */
final class PathBuiltins {
  private PathBuiltins() {}

  static void register(BuiltinRegistry registry) {
    registry.filter("path", 1, a -> new PathsOf(a[0]));
    registry.filter("getpath", 1, a -> new GetPath(a[0]));
    registry.value(
        "setpath",
        2,
        (in, a, evaluationContext) -> PathAccess.set(in, a[0], a[1], evaluationContext));
    registry.value(
        "delpaths",
        (in, paths, evaluationContext) -> PathAccess.delete(in, paths, evaluationContext));
    registry.filter("del", 1, a -> new Delete(a[0]));
    registry.filter(
        "map_values", 1, a -> new AssignmentCode.Update(PathCode.Iterate.input(), a[0]));
    registry.filter("first", 0, a -> item(0));
    registry.filter("last", 0, a -> item(-1));
    registry.filter("nth", 1, a -> new PathCode.Index(PathCode.Identity.INSTANCE, a[0], false));
    registry.filter(
        "with_entries",
        1,
        a ->
            ControlFlowCode.pipe(
                new NativeCallCode.Apply0(ObjectEntries::toEntries),
                ControlFlowCode.pipe(
                    map(a[0]), new NativeCallCode.Apply0(ObjectEntries::fromEntries))));
    registry.filter("map", 1, a -> map(a[0]));
  }

  static Code map(Code each) {
    return new ConstructionCode.Collect(ControlFlowCode.pipe(PathCode.Iterate.input(), each));
  }

  private static Code item(long index) {
    return new PathCode.Index(
        PathCode.Identity.INSTANCE, new ConstructionCode.Constant(JqValues.number(index)), false);
  }

  /** {@code path(f)} */
  private static final class PathsOf extends Code {
    private final Code source;

    PathsOf(Code source) {
      super(false, 3 + source.height);
      this.source = source;
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      ValuePath lost = ValuePath.detached(valuePath);
      return source.each(
          in,
          ValuePath.ROOT,
          env,
          evaluationContext,
          (value, at) -> out.emit(AssignmentCode.path(value, at, evaluationContext), lost));
    }
  }

  /** {@code getpath(p)}, which is itself a path expression */
  private static final class GetPath extends Code {
    private final Code keys;

    GetPath(Code keys) {
      super(keys.single, keys.atMostOne, 6 + keys.height);
      this.keys = keys;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      return PathAccess.get(in, keys.one(in, env, evaluationContext), evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return keys.each(
          in,
          null,
          env,
          evaluationContext,
          (at, p) -> {
            JsonNode value = PathAccess.get(in, at, evaluationContext);
            ValuePath to = valuePath;
            if (to != null) {
              for (JsonNode key : at) {
                to = PathCode.child(to, key, in, evaluationContext);
              }
            }
            return out.emit(value, to);
          });
    }
  }

  /** {@code del(f)} */
  private static final class Delete extends Code.SingleValue {
    private final Code target;

    Delete(Code target) {
      super(8 + target.height);
      this.target = target;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      List<JsonNode> paths = new ArrayList<>();
      target.each(
          in,
          ValuePath.ROOT,
          env,
          evaluationContext,
          (value, at) -> {
            evaluationContext.charge(2);
            return paths.add(AssignmentCode.path(value, at, evaluationContext));
          });
      return PathAccess.delete(in, JqValues.array(paths), evaluationContext);
    }
  }
}
