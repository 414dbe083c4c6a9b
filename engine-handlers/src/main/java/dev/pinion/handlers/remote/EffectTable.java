package dev.pinion.handlers.remote;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where hosts note what effects they begin and how these ended, so that each is made once. For use
 * by any thread.
 */
interface EffectTable extends AutoCloseable {
  /** What hosts with the same table have in common; empty when nobody else can look at it. */
  String name();

  /**
   * A host wants to begin an effect that is not under way in it. What it has begun before without
   * noting how it ended counts as taken over; what it wanted to begin when the table could not say
   * whether it may, as it would have then.
   *
   * @param lost the hosts that are known to be lost; the effect of any of them may be taken over
   */
  EffectClaim begin(EffectKey key, UUID host, List<UUID> lost) throws SQLException;

  /** The host that has an effect which has not ended, or null. */
  @Nullable UUID owner(EffectKey key) throws SQLException;

  /** An effect has ended so; answers false when another host has it by now. */
  boolean end(EffectKey key, UUID host, byte[] answer) throws SQLException;

  /** Forgets what is older than anybody asks for. */
  void forget() throws SQLException;

  @Override
  void close() throws SQLException;

  /** No table: what a host has done is known in its memory only, and lost with it. */
  static EffectTable none() {
    return new EffectTable() {
      @Override
      public String name() {
        return "";
      }

      @Override
      public EffectClaim begin(EffectKey key, UUID host, List<UUID> lost) {
        return EffectClaim.FRESH;
      }

      @Override
      public @Nullable UUID owner(EffectKey key) {
        return null;
      }

      @Override
      public boolean end(EffectKey key, UUID host, byte[] answer) {
        return true;
      }

      @Override
      public void forget() {}

      @Override
      public void close() {}
    };
  }
}
