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

/** A script for the Redis server, from a resource file. The server identifies the script by its SHA-1 digest. */
record LuaScript(String text, String digest) {

    static final LuaScript ROWS = load("rows.lua");

    static final LuaScript BEGINS = load("read.lua", "begins.lua");

    static final LuaScript APPLY = load("apply.lua");

    static final LuaScript CLAIM = load("read.lua", "claim.lua");

    static final LuaScript PAGE = load("page.lua");

    static final LuaScript LOOK = load("look.lua");

    static final LuaScript NUMBER = load("number.lua");

    static final LuaScript TIME = load("time.lua");

    /** Writes a key and deletes the key again, so that WAIT has a write to wait for. */
    static final LuaScript MARK = load("mark.lua");

    /** A later file may call the functions of an earlier file. */
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
