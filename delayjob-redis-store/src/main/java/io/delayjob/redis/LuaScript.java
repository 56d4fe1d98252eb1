package io.delayjob.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * A script that runs within the Redis server. The text of the script is a resource file. The server knows the script by
 * its digest.
 *
 * @param text the script
 * @param digest the SHA-1 of the text
 */
record LuaScript(String text, String digest) {

    /** A script that changes rows if they have not changed since they were read. */
    static final LuaScript ROWS = load("rows.lua");

    static final LuaScript BEGINS = load("read.lua", "begins.lua");

    /** Changes the register, the pauses, the minutes or the groups. */
    static final LuaScript APPLY = load("apply.lua");

    static final LuaScript CLAIM = load("read.lua", "claim.lua");

    /** Reads the entries of sorted sets that come after a given place. */
    static final LuaScript PAGE = load("page.lua");

    /** Reads the register. */
    static final LuaScript LOOK = load("look.lua");

    /** Returns a new number for an instance. */
    static final LuaScript NUMBER = load("number.lua");

    /** Reads the clock of the register's server. */
    static final LuaScript TIME = load("time.lua");

    /** Writes a key and deletes the key again, so that WAIT has a write to wait for. */
    static final LuaScript MARK = load("mark.lua");

    /** Loads a script from files. A later file may call the functions of an earlier one. */
    private static LuaScript load(String... files) {
        return of(Arrays.stream(files).map(LuaScript::text).collect(Collectors.joining()));
    }

    private static String text(String file) {
        try (InputStream script = LuaScript.class.getResourceAsStream(file)) {
            if (script == null) {
                throw new IllegalStateException("There is no script %s in delayjob-redis-store.".formatted(file));
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static LuaScript of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new LuaScript(text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
