@echo off
node "%~dp0..\provider\plugin\main.js" %*
