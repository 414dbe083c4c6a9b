package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions about paths: {@code path}, {@code getpath}, {@code del} and the like. */
final class PathBuiltins {
  private PathBuiltins() {}

  static void register(Builtins.Registry registry) {
    registry.filter("path", 1, a -> new PathsOf(a[0]));
    registry.filter("getpath", 1, a -> new GetPath(a[0]));
    registry.value("setpath", 2, (in, a, run) -> Paths.set(in, a[0], a[1], run));
    registry.value("delpaths", (in, paths, run) -> Paths.delete(in, paths, run));
    registry.filter("del", 1, a -> new Delete(a[0]));
    registry.filter("map_values", 1, a -> new AssignCode.Update(AccessCode.Iterate.input(), a[0]));
    registry.filter("first", 0, a -> item(0));
    registry.filter("last", 0, a -> item(-1));
    registry.filter("nth", 1, a -> new AccessCode.Index(AccessCode.Identity.INSTANCE, a[0], false));
    registry.filter(
        "with_entries",
        1,
        a ->
            FlowCode.pipe(
                new ApplyCode.Apply0(Entries::toEntries),
                FlowCode.pipe(map(a[0]), new ApplyCode.Apply0(Entries::fromEntries))));
    registry.filter("map", 1, a -> map(a[0]));
  }

  static Code map(Code each) {
    return new MakeCode.Collect(FlowCode.pipe(AccessCode.Iterate.input(), each));
  }

  private static Code item(long index) {
    return new AccessCode.Index(
        AccessCode.Identity.INSTANCE, new MakeCode.Constant(Json.number(index)), false);
  }

  /** {@code path(f)} */
  private static final class PathsOf extends Code {
    private final Code source;

    PathsOf(Code source) {
      super(false, 3 + source.height);
      this.source = source;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      Path lost = Path.lost(path);
      return source.each(
          in, Path.ROOT, env, run, (value, at) -> out.emit(AssignCode.path(value, at, run), lost));
    }
  }

  /** {@code getpath(p)}, which is itself a path expression */
  private static final class GetPath extends Code {
    private final Code keys;

    GetPath(Code keys) {
      super(keys.single, 6 + keys.height);
      this.keys = keys;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      return Paths.get(in, keys.one(in, env, run), run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return keys.each(
          in,
          null,
          env,
          run,
          (at, p) -> {
            JsonNode value = Paths.get(in, at, run);
            Path to = path;
            if (to != null) {
              for (JsonNode key : at) {
                to = AccessCode.child(to, key, in, run);
              }
            }
            return out.emit(value, to);
          });
    }
  }

  /** {@code del(f)} */
  private static final class Delete extends Code.Value {
    private final Code target;

    Delete(Code target) {
      super(8 + target.height);
      this.target = target;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      List<JsonNode> paths = new ArrayList<>();
      target.each(
          in,
          Path.ROOT,
          env,
          run,
          (value, at) -> {
            run.charge(2);
            return paths.add(AssignCode.path(value, at, run));
          });
      return Paths.delete(in, Json.array(paths), run);
    }
  }
}
